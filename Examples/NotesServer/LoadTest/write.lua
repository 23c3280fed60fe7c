-- Writes notes, and the identifiers of those that were acknowledged into a file.
function init(arguments)
  file = io.open(arguments[2], "a")
  file:setvbuf("line")
  wrk.method = "POST"
  wrk.headers["Authorization"] = "Bearer " .. arguments[1]
  wrk.headers["Content-Type"] = "application/json"
  number = 0
end

function request()
  number = number + 1
  return wrk.format(nil, "/notes", nil, '{"title": "Note ' .. number .. '", "text": "Written under load."}')
end

function response(status, headers, body)
  if status == 201 then
    file:write(body:match('"id":"([^"]+)"'), "\n")
  end
end
