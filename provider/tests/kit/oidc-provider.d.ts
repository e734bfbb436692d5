/** What the tests use of `oidc-provider`, which comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    addOIDCClaims(claims: readonly string[]): void;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly params: Readonly<Record<string, string>>;
    readonly prompt: { readonly name: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (owner: { readonly accountId: string; readonly clientId: string }) => Grant;
    proxy: boolean;
    callback(): (req: IncomingMessage, res: ServerResponse) => void;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...args: readonly unknown[]) => void): void;
  }
}
