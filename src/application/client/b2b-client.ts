import { b2b, type BodyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';
import { checkArguments } from '../arguments.ts';

/** `client.b2b`: the one call of organizations that the wire has. */
export class B2BClient {
  constructor(private readonly wire: WireClient) {}

  /** The organization's member with that address; null where there is none. */
  async searchMember(options: BodyFor<typeof b2b.searchMember>) {
    checkArguments('b2b.searchMember', { email_address: 'string', organization_id: 'string' }, options);
    const { email_address, organization_id } = options;
    return this.wire.call(b2b.searchMember, { email_address, organization_id });
  }
}
