import { checkArguments } from '../../domain/shape.ts';
import { b2b, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';

type Api = typeof b2b;

/** The one call of organizations that the wire has. */
export class MemberSearch {
  constructor(private readonly wire: WireClient) {}

  /** The organization's member with that address; null where there is none. */
  async search(options: BodyFor<Api['searchMember']>): Promise<ReplyFor<Api['searchMember']>> {
    checkArguments('b2b.searchMember', b2b.searchMember.body, options);
    const { email_address, organization_id } = options;
    return this.wire.call(b2b.searchMember, { email_address, organization_id });
  }
}
