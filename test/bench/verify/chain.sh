#!/usr/bin/env bash
# The check as one would write it for the shell: openssl signs, curl calls twice.
set -euo pipefail
b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
call() { curl -fsS --cacert "$CA_FILE" --resolve "$API_HOST:$PORT:127.0.0.1" "$@"; }
now=$(date +%s)
header=$(printf '{"alg":"RS256","typ":"JWT","kid":"%s"}' "$KEY_ID" | b64)
claims=$(printf '{"iss":"%s","aud":"%s","iat":%d,"exp":%d,"jti":"%s"}' \
  "$APP_ID" "$API_HOST" "$now" "$((now + 300))" "$(openssl rand -hex 48)" | b64)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$KEY_FILE" | b64)
token=$(call "https://$API_HOST:$PORT/api/permission/oauth2/enterprise_id/$ENTERPRISE_ID/token" \
  -H "Authorization: Bearer $header.$claims.$signature" -H 'Content-Type: application/json' \
  -d '{"grant_type":"urn:ietf:params:oauth:grant-type:jwt-bearer"}' |
  sed -E 's/.*"access_token":"([^"]+)".*/\1/')
call "https://$API_HOST:$PORT/v1/workspaces?page_num=1&page_size=20" \
  -H "Authorization: Bearer $token" >/dev/null
