-- Tells once that enough replies have come for a short round to say something.

local left = 20

function response()
  left = left - 1
  if left == 0 then
    io.write("enough\n")
    io.flush()
  end
end
