import { SESSION_DURATION_MINUTES } from '../sessions/session.ts';
import type { LoginConfig } from './widget-config.ts';

/** The duration of a session that the widget starts, in minutes. */
export function sessionMinutes(config: LoginConfig): number {
  return config.sessionOptions?.sessionDurationMinutes ?? SESSION_DURATION_MINUTES;
}
