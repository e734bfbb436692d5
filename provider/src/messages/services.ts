import type { Services as ProjectServices } from '#provider/project/services.ts';
import type { InboxHub } from './inbox-hub.ts';
import type { Channel } from './channel.ts';
import type { Templates } from './texts/templates.ts';

/** The services of this wing: those for messages, in addition to the project's. */
export interface Services extends ProjectServices {
  readonly inbox: InboxHub;
  /** The channels whose messages this server itself delivers; if absent, none. */
  readonly carried?: ReadonlySet<Channel>;
  /** The project's custom email templates; if absent, none. */
  readonly templates?: Templates;
}
