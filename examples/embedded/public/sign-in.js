import { client, config } from './client.js';

/** Sends the session to the frame that opened this window, only if it has this origin. */
function handOver() {
  const tokens = client.session.getTokens();
  if (tokens === null || window.opener === null) return;
  window.opener.postMessage(tokens, location.origin);
  window.close();
}

// `authenticate` calls the server, so that an ended session is not sent.
const session = client.session.getSync() && (await client.session.authenticate().catch(() => null));
if (session === null) {
  client.mountLogin({ elementId: '#login', config, styles: { preset: 'modern' } });
  client.session.onChange((next) => next !== null && handOver());
} else handOver();
