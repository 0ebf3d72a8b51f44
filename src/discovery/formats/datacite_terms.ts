/** The roles of contributors that DataCite 4.7 has (contributorType), by our names of them. */
export const contributorTypes = {
  contact_person: 'ContactPerson',
  data_collector: 'DataCollector',
  data_curator: 'DataCurator',
  data_manager: 'DataManager',
  distributor: 'Distributor',
  editor: 'Editor',
  hosting_institution: 'HostingInstitution',
  producer: 'Producer',
  project_leader: 'ProjectLeader',
  project_manager: 'ProjectManager',
  project_member: 'ProjectMember',
  registration_agency: 'RegistrationAgency',
  registration_authority: 'RegistrationAuthority',
  related_person: 'RelatedPerson',
  researcher: 'Researcher',
  research_group: 'ResearchGroup',
  rights_holder: 'RightsHolder',
  sponsor: 'Sponsor',
  supervisor: 'Supervisor',
  translator: 'Translator',
  work_package_leader: 'WorkPackageLeader',
  other: 'Other',
} as const

/** Kinds of titles beside the main one (titleType); those of ours that it has not are near ones. */
export const titleTypes = {
  subtitle: 'Subtitle',
  translated: 'TranslatedTitle',
  alternative: 'AlternativeTitle',
  other: 'Other',
  short: 'AlternativeTitle',
  original: 'Other',
  original_subtitle: 'Subtitle',
} as const

/** Kinds of descriptions (descriptionType). */
export const descriptionTypes = {
  abstract: 'Abstract',
  methods: 'Methods',
  series_information: 'SeriesInformation',
  table_of_contents: 'TableOfContents',
  technical_info: 'TechnicalInfo',
  other: 'Other',
  plain_language: 'Other',
} as const

/** Kinds of dates (dateType); those that it has not are `Other`, with our name beside them. */
export const dateTypes = {
  accepted: 'Accepted',
  available: 'Available',
  collected: 'Collected',
  copyrighted: 'Copyrighted',
  coverage: 'Coverage',
  created: 'Created',
  issued: 'Issued',
  submitted: 'Submitted',
  updated: 'Updated',
  valid: 'Valid',
  withdrawn: 'Withdrawn',
  other: 'Other',
} as const

/** Our name of a term of DataCite's; undefined if it is none. */
export function termOf<T extends string>(
  terms: Readonly<Record<T, string>>,
  name: string,
): T | undefined {
  const folded = name.replaceAll(/[\s_-]+/g, '').toLowerCase()
  const own = Object.keys(terms) as T[]
  return own.find((term) => terms[term].toLowerCase() === folded)
}
