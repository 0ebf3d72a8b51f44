import { once } from 'node:events'
import tls from 'node:tls'

/** Whether a server on this port of the loopback has a certificate, whoever has signed it. */
export async function speaksTls(port: number): Promise<boolean> {
  const options = { host: 'localhost', servername: 'localhost', port, rejectUnauthorized: false }
  const socket = tls.connect(options)
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
