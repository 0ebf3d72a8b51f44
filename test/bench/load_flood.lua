-- Asks for the paths of a file with one a line, one after the other. Arguments: the file, how many
-- milliseconds each connection rests before a request, then headers as `name: value`.

local paths = {}
local at = 0

function init(arguments)
  for line in io.lines(arguments[1]) do paths[#paths + 1] = line end
  local waitMs = tonumber(arguments[2])
  -- wrk sets a timer for each request where there is this function.
  if waitMs > 0 then
    function delay() return waitMs end
  end
  addHeaders(arguments, 3)
end

function request()
  at = at + 1
  return wrk.format("GET", paths[at % #paths + 1])
end
