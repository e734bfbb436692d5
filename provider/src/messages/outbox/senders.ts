import type { Credential } from '../../base/contract.ts';
import type { PageSender } from '../../project/page-sender.ts';

/** The app's own server, which has shown a secret of the project. It decides itself whom it lets send. */
export class ServerSender {
  readonly kind = 'server';

  constructor(protected readonly credential: Credential) {}
}

/** This provider, which tells the owner of an account what happened to it. It sends nothing else. */
export const PROVIDER = { kind: 'provider' } as const;

/** Who may have a code or link sent. */
export type CodeSender = PageSender | ServerSender;

/** Who causes a message. No command of operators sends one: the notices of what they change are the provider's. */
export type Sender = CodeSender | typeof PROVIDER;
