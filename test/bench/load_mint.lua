-- Registers works over HTTP, one a request, each with a number of its own. Arguments: the path, the
-- first number, a file of bodies with `{n}` where the number stands, then headers as `name: value`.

local path, number, bodies = nil, 0, {}

local function split(line)
  local pieces = {}
  for piece in (line .. "{n}"):gmatch("(.-){n}") do pieces[#pieces + 1] = piece end
  return pieces
end

function init(arguments)
  path, number = arguments[1], tonumber(arguments[2])
  for line in io.lines(arguments[3]) do bodies[#bodies + 1] = split(line) end
  wrk.headers["content-type"] = "application/json"
  addHeaders(arguments, 4)
end

function request()
  local body = table.concat(bodies[number % #bodies + 1], string.format("%d", number))
  number = number + 1
  return wrk.format("POST", path, nil, body)
end
