import type { Shape } from '#domain/shape.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { PAGE_FIELDS, type ResultsMetadata } from './search.ts';

/** A program that calls APIs in its own name, without a user. */
export interface M2MClient {
  readonly client_id: string;
  readonly client_name: string;
  readonly client_description: string;
  readonly status: 'active' | 'inactive';
  readonly scopes: readonly string[];
  readonly trusted_metadata: Readonly<Record<string, unknown>>;
  readonly client_secret_last_four: string;
  /** Present during a rotation. */
  readonly next_client_secret_last_four?: string;
}

const DESCRIBED = {
  client_name: 'string?',
  client_description: 'string?',
  trusted_metadata: 'object?',
} as const satisfies Shape;

export interface M2MClientReply {
  readonly m2m_client: M2MClient;
}

export const m2m = {
  create: endpoint<{
    /** The secret is shown here, and never again. */
    readonly m2m_client: M2MClient & { readonly client_secret: string };
  }>()({
    name: 'm2m.clients.create',
    method: 'POST',
    path: '/m2m/clients',
    body: { ...DESCRIBED, scopes: 'string[]', client_id: 'string?', client_secret: 'string?' },
  }),
  search: endpoint<{ readonly m2m_clients: readonly M2MClient[]; readonly results_metadata: ResultsMetadata }>()({
    name: 'm2m.clients.search',
    method: 'POST',
    path: '/m2m/clients/search',
    body: { ...PAGE_FIELDS, query: 'object?' },
  }),
  get: endpoint<M2MClientReply>()({ name: 'm2m.clients.get', method: 'GET', path: '/m2m/clients/:client_id' }),
  update: endpoint<M2MClientReply>()({
    name: 'm2m.clients.update',
    method: 'PUT',
    path: '/m2m/clients/:client_id',
    body: { ...DESCRIBED, status: 'string?', scopes: 'string[]?' },
  }),
  delete: endpoint<{ readonly client_id: string }>()({
    name: 'm2m.clients.delete',
    method: 'DELETE',
    path: '/m2m/clients/:client_id',
  }),
  rotateStart: endpoint<{
    /** The next secret is shown here, and never again. */
    readonly m2m_client: M2MClient & { readonly next_client_secret: string };
  }>()({
    name: 'm2m.clients.secrets.rotateStart',
    method: 'POST',
    path: '/m2m/clients/:client_id/secrets/rotate/start',
  }),
  rotateCancel: endpoint<M2MClientReply>()({
    name: 'm2m.clients.secrets.rotateCancel',
    method: 'POST',
    path: '/m2m/clients/:client_id/secrets/rotate/cancel',
  }),
  rotate: endpoint<M2MClientReply>()({
    name: 'm2m.clients.secrets.rotate',
    method: 'POST',
    path: '/m2m/clients/:client_id/secrets/rotate',
  }),
};
