// Before each test file. AVA turns source maps on, and Node then reads those of every module of
// every dependency; our own modules need none, for their types are stripped in place.
process.setSourceMapsEnabled(false)
