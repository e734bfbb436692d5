import { portsOf, type Device } from 'portico/adapters';
import { PorticoClient } from 'portico/headless';

interface Settings {
  readonly publicToken: string;
  readonly apiUrl: string;
  /** The site whose app this is: one of the project's `origins`. */
  readonly site: string;
  /** `true` accepts an `apiUrl` with http on another machine, for development. */
  readonly allowHttp: boolean;
}

/** The client without a page. It sends no events: they are about pages. */
export function createClient(device: Device, { publicToken, apiUrl, site, allowHttp }: Settings): PorticoClient {
  const adapters = portsOf(device, new URL(site));
  return new PorticoClient(publicToken, { apiUrl, allowHttp, telemetry: false, adapters });
}
