-- Prints what the script reads: requests, requests a second, the 99th percentile in microseconds, errors.
function done(summary, latency)
  local errors = summary.errors
  print(string.format("report %d %.1f %d %d", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(99), errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
