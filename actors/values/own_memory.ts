/**
 * Bytes that are to be kept, alone in their memory. Node cuts short buffers out of pools, zlib out
 * of its chunks, and all of such a pool is kept with any part of it: 64 KiB for a reply of 5 kB.
 */
export function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : Buffer.from(Uint8Array.from(bytes).buffer)
}
