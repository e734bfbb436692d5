import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';

/** The services that send notices of changes. */
export interface NoticeServices extends RateLimitServices, Pick<Services, 'random' | 'project' | 'inbox' | 'carried'> {
  /** The address at which browsers reach this server, for links; null if it is unknown. */
  readonly publicOrigin: string | null;
}
