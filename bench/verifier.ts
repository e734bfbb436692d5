/** The number of requests per second that `portico/server` authenticates by their JWT. The signature is checked each time. */
import { createVerifier } from '../src/composition/server.ts';
import { FakeKeys } from '../kit/ports/fake-keys.ts';
import { Issuer, PROJECT_ID, withCookies } from '../tests/unit/server/issuer.ts';

const FOR_MS = 2_000;

const issuer = await Issuer.make('key-1', () => Date.now());
const keys = new FakeKeys([issuer.published]);
const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: 'https://api.example.com', adapters: { keys } });
const request = withCookies(
  `theme=dark; stytch_session=token; stytch_session_jwt=${await issuer.jwt('user-1', undefined, 'token')}`,
);

async function verify(): Promise<void> {
  const { status } = await verifier.authenticateRequest(request);
  if (status !== 'signed-in') throw new Error(`A request was answered with ${status}`);
}

async function run(atOnce: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < FOR_MS) {
    await Promise.all(Array.from({ length: atOnce }, verify));
    done += atOnce;
  }
  return (done / (performance.now() - began)) * 1_000;
}

await run(10);
process.stdout.write(`${JSON.stringify({ oneAtATime: await run(1), tenAtOnce: await run(10) })}\n`);
process.exit(0);
