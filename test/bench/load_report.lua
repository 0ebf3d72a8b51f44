-- What both loads share: headers that are arguments, and the report as one line of JSON, whose
-- latencies are in microseconds.

function addHeaders(arguments, first)
  for at = first, #arguments do
    local name, value = arguments[at]:match("^(.-): (.*)$")
    wrk.headers[name] = value
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  local report = '{"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d,"refused":%d,"failed":%d}\n'
  io.write(string.format(report, summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), latency.max, errors.status, failed))
end
