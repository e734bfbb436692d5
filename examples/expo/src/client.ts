import { PorticoClient } from 'portico/headless';
import { portsOf, type Device } from './ports';

interface Settings {
  readonly publicToken: string;
  readonly apiUrl: string;
  /** The site whose app this is: one of the project's `origins`. */
  readonly site: string;
}

/** The client without a page. It sends no events: they are about pages. */
export function createClient(device: Device, { publicToken, apiUrl, site }: Settings): PorticoClient {
  return new PorticoClient(publicToken, { apiUrl, telemetry: false, adapters: portsOf(device, new URL(site)) });
}
