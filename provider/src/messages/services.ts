import type { Services as ProjectServices } from '../project/services.ts';
import type { InboxHub } from './inbox-hub.ts';
import type { Channel } from './channel.ts';
import type { Templates } from './texts/templates.ts';

/** The services of this wing: those of messages, in addition to the project's. */
export interface Services extends ProjectServices {
  readonly inbox: InboxHub;
  /** The channels whose messages this server delivers itself; none when absent. */
  readonly carried?: ReadonlySet<Channel>;
  /** The project's custom templates of emails; none when absent. */
  readonly templates?: Templates;
}
