import { createServer, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { readUserId, type UserIdOptions } from 'cdktf-secure-connectivity/service';

/**
 * A plugin's backend that greets the user of the call. It answers `GET /health` to the load
 * balancer, and everything else only for a user ID that it believes.
 *
 * @param options the output `user-id-header-options` of the stack
 * @param audit one line for each call
 */
export function exampleBackend(options: UserIdOptions, audit: (line: string) => void): Server {
  return createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    };
    if (request.url === '/health') return answer(200, { status: 'healthy' });
    const user = readUserId(request, options);
    audit(JSON.stringify({ ...user, method: request.method, path: request.url }));
    if (user.kind === 'user') return answer(200, { greeting: `Hello, ${user.userId}` });
    return answer(user.kind === 'absent' ? 401 : 403, { error: 'no user that can be believed' });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = JSON.parse(process.env.USER_ID_HEADER ?? '{"trustedNetworks":[]}');
  exampleBackend(options, console.log).listen(Number(process.env.PORT ?? 8080));
}
