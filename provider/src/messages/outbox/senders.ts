import type { Credential } from '#provider/base/contract.ts';
import type { PageSender } from '#provider/project/page-sender.ts';

/** The app's own server, which has shown a project secret. It decides itself who may cause messages. */
export class ServerSender {
  readonly kind = 'server';

  constructor(protected readonly credential: Credential) {}
}

/** This provider, which notifies the owner of an account about changes. It sends nothing else. */
export const PROVIDER = { kind: 'provider' } as const;

/** Who may have a code or link sent. */
export type CodeSender = PageSender | ServerSender;

/** Who causes a message. Operators' commands send none: the notices about their changes come from the provider. */
export type Sender = CodeSender | typeof PROVIDER;
