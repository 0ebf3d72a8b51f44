import { Type } from 'typebox'
import { integer, path, text } from '#config/key_schema.ts'

/** The form of a node's name: one token of a NATS subject, and a host name. */
export const nodeNamePattern = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'

/** The keys of a registry that several nodes run. */
export const clusterKeys = {
  CLUSTER_URL: Type.Optional(
    text({
      description:
        'NATS servers over which several nodes run one registry, comma-separated. ' +
        'Default: this one runs it alone.',
      pattern: '^(nats|tls)://[^\\s@/]+(,\\s*(nats|tls)://[^\\s@/]+)*$',
      maxLength: 2_000,
      accepts: 'nats://host:port of each server, with commas between them and no password',
    }),
  ),
  CLUSTER_NODE: Type.Optional(
    text({
      description: 'Name of this node, which no other node of the cluster has.',
      pattern: nodeNamePattern,
      maxLength: 63,
      accepts: '1 to 63 lower-case letters, digits and inner hyphens, such as registry-2',
    }),
  ),
  CLUSTER_CREDENTIALS: Type.Optional(
    path({
      description:
        'File of mode 0600 with `user:password`, or a `.creds` file, for the NATS servers. ' +
        'Default: they ask nobody who they are.',
    }),
  ),
  CLUSTER_CA_FILE: Type.Optional(
    path({
      description:
        'PEM file of who signs the certificates of the NATS servers (tls://). ' +
        'Default: the authorities of the system.',
    }),
  ),
  CLUSTER_LEASE_MS: integer({
    description:
      'Time after which another node leads when the one that does is silent. ' +
      'The same on all nodes.',
    unit: 'ms',
    default: 5_000,
    minimum: 1_000,
    maximum: 60_000,
  }),
  CLUSTER_CONTACT_MS: integer({
    description:
      'Time without contact after which a node refuses keys, tokens and sessions, because it ' +
      'cannot know which of them were revoked.',
    unit: 'ms',
    default: 10_000,
    minimum: 2_000,
    maximum: 60_000,
  }),
}
