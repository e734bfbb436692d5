import { checkArguments } from '#domain/shape.ts';
import { b2b, type BodyFor, type ReplyFor } from '../../api/index.ts';
import type { WireClient } from '../../wire/wire-client.ts';

type Api = typeof b2b;

/** The only B2B call of the wire. */
export class MemberSearch {
  constructor(private readonly wire: WireClient) {}

  /** The organization's member with that address, or null. */
  async search(options: BodyFor<Api['searchMember']>): Promise<ReplyFor<Api['searchMember']>> {
    checkArguments('b2b.searchMember', b2b.searchMember.body, options);
    const { email_address, organization_id } = options;
    return this.wire.call(b2b.searchMember, { email_address, organization_id });
  }
}
