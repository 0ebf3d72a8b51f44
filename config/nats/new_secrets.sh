#!/bin/sh
# Makes what the servers and the nodes of a cluster know each other by, in a new folder:
#   sh config/nats/new_secrets.sh FOLDER HOST...
# HOST is the name of each NATS server, as nodes and other servers reach it.
#   ca.pem, ca-key.pem      signs the certificate; keep the key elsewhere, or delete it
#   nats.pem, nats-key.pem  the certificate of all servers, for 825 days
#   passwords.env           the environment of the servers
#   node.txt                what CLUSTER_CREDENTIALS of each node names
set -eu

folder=$1
shift
names=""
for host in "$@"; do names="$names,DNS:$host"; done

umask 077
mkdir "$folder"
cd "$folder"

new_key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
# shellcheck disable=SC2086
openssl req -x509 $new_key -keyout ca-key.pem -out ca.pem -days 3650 -subj "/CN=Arklog cluster"
# shellcheck disable=SC2086
openssl req $new_key -keyout nats-key.pem -out nats.csr -subj "/CN=NATS" \
  -addext "subjectAltName=${names#,}" -addext "extendedKeyUsage=serverAuth,clientAuth"
openssl x509 -req -in nats.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -copy_extensions copy \
  -days 825 -out nats.pem
rm -f nats.csr ca.srl
# The registry, which is another user, reads who signs certificates.
chmod 644 ca.pem nats.pem

# NATS reads a password that begins with a digit as a number.
password() { printf 'p%s' "$(openssl rand -hex 24)"; }
node=$(password)
printf 'arklog:%s\n' "$node" > node.txt
printf 'ARKLOG_NODE_PASSWORD=%s\nARKLOG_OPERATOR_PASSWORD=%s\nNATS_SYS_PASSWORD=%s\n' \
  "$node" "$(password)" "$(password)" > passwords.env
