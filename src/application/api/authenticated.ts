import type { Session } from '../../domain/session.ts';
import type { Shape } from '../../domain/shape.ts';
import type { User } from '../../domain/user.ts';
import type { ReplyBase } from './endpoint.ts';

/**
 * What every successful authenticate call answers. A server that keeps the tokens in HttpOnly cookies leaves their
 * values empty or out.
 */
export interface Authenticated extends ReplyBase {
  readonly user_id: string;
  readonly user: User;
  readonly session: Session;
  readonly session_token?: string;
  readonly session_jwt?: string;
}

export const AUTHENTICATED = {
  user: 'object',
  session: 'object',
  session_token: 'string?',
  session_jwt: 'string?',
} as const satisfies Shape;
