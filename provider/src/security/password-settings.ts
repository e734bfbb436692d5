import type { Project } from '../project/project.ts';

export interface PasswordSettings {
  readonly password_strength_policy: 'zxcvbn' | 'luds' | 'none';
  readonly luds_complexity: number;
  readonly luds_minimum_count: number;
  readonly breach_detection: boolean;
  readonly pkce_required_for_password_resets: boolean;
  /** Null for all. */
  readonly sms_countries: readonly string[] | null;
}

const DEFAULTS: PasswordSettings = {
  password_strength_policy: 'zxcvbn',
  luds_complexity: 3,
  luds_minimum_count: 8,
  breach_detection: true,
  pkce_required_for_password_resets: false,
  sms_countries: null,
};

export function settingsOf(project: Project): PasswordSettings {
  return { ...DEFAULTS, ...project };
}
