import type { RateLimitServices } from '../../project/services.ts';
import type { Services } from '../services.ts';

/** What tells people of changes. */
export interface NoticeServices extends RateLimitServices, Pick<Services, 'random' | 'project' | 'inbox' | 'carried'> {
  /** The address at which browsers reach this server, for links; null where it is unknown. */
  readonly publicOrigin: string | null;
}
