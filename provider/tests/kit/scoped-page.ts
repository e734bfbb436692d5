/** A page with one client, whose options are in the fragment of its address. */
import { PorticoClient } from '#composition/client.ts';

const { publicToken, apiUrl, cookieOptions } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as {
  readonly publicToken: string;
  readonly apiUrl: string;
  readonly cookieOptions: object;
};

Object.assign(window, { client: new PorticoClient(publicToken, { apiUrl, cookieOptions, telemetry: false }) });
