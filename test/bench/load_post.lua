-- Sends the bodies of a file, one after the other and each once: a line is a path, a blank, a body.
-- Arguments: the file, then headers as `name: value`.

local paths, bodies, at = {}, {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, body = line:match("^(%S+) (.*)$")
    paths[#paths + 1] = path
    bodies[#bodies + 1] = body
  end
  wrk.headers["content-type"] = "application/json"
  addHeaders(arguments, 2)
end

function request()
  at = at + 1
  -- Beyond the end a server refuses what it is sent, and the bench says so.
  return wrk.format("POST", paths[at] or "/", nil, bodies[at] or "")
end
