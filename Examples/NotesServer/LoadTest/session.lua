-- Asks what somebody at work with their notes asks, over and over: pages, notes, now and then a search and an update; and prints what
-- report.lua prints. Needs the path of a note.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")

local requests, number = {}, 0

function init(arguments)
  local note = arguments[1]
  local page = wrk.format("GET", "/notes?limit=20")
  local one = wrk.format("GET", note)
  local search = wrk.format("GET", "/notes?search=number&limit=20")
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["If-Match"] = "*"
  local update = wrk.format("PUT", note, nil, '{"title": "Note 50", "text": "Some words about the number 50."}')
  requests = {page, one, one, page, one, one, search, one, page, update}
end

function request()
  number = number % #requests + 1
  return requests[number]
end
