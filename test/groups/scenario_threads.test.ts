import { declareGroup } from '#test/groups/_grouped_test.ts'

declareGroup(import.meta.url)
