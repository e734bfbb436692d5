/** What the server says of a password (specification, section 3; field names are the wire's). */
export interface PasswordStrength {
  readonly valid_password: boolean;
  /** zxcvbn's, from 0 (worst) to 4. */
  readonly score: number;
  readonly breached_password: boolean;
  readonly breach_detection_on_create: boolean;
  readonly strength_policy: 'none' | 'zxcvbn' | 'luds' | (string & {});
  readonly feedback: {
    readonly suggestions: readonly string[];
    readonly warning: string;
    readonly luds_requirements: {
      readonly has_digit: boolean;
      readonly has_lower_case: boolean;
      readonly has_symbol: boolean;
      readonly has_upper_case: boolean;
      readonly missing_characters: number;
      readonly missing_complexity: number;
    };
  };
}
