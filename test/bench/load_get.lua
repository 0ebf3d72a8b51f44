-- Asks for paths of a file with one a line, drawn evenly. Arguments: the file, how many of its first
-- lines are drawn from, the seed, then headers as `name: value`.

local paths = {}

function init(arguments)
  local most = tonumber(arguments[2])
  for line in io.lines(arguments[1]) do
    if #paths == most then break end
    paths[#paths + 1] = line
  end
  math.randomseed(tonumber(arguments[3]))
  addHeaders(arguments, 4)
end

function request()
  return wrk.format("GET", paths[math.random(#paths)])
end
