import { agentNames } from '#domain/sessions/user-agent.ts';
import type { WidgetTools } from '../../hooks/useWidget.ts';

/** The common name of the browser that sends this `User-Agent`. */
export function browserName(userAgent: string, t: WidgetTools['t']): string {
  const { browser, system } = agentNames(userAgent);
  if (browser !== null && system !== null) return t('account.sessions.on', { browser, system });
  return browser ?? system ?? t('account.sessions.unknown');
}
