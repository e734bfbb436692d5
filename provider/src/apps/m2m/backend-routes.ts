import type { M2MClient } from '#provider/base/backend-api/m2m.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { readBy, wrongField } from '#provider/project/readers/body-fields.ts';
import type { BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';
import { pageFrom, pageOf } from '#provider/project/readers/paging.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import { strengthOf } from '#provider/accounts/passwords/policy.ts';
import { CLIENT_DESCRIPTION, SCOPE } from '#provider/project/settings/app-fields.ts';
import { listOf, object, oneOf, partial, texts, textThat, type Readers } from '#provider/project/readers/readers.ts';
import { cancelRotation, endRotation, newClientSecret, startRotation } from '#provider/base/security/client-secrets.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import {
  createM2MClient,
  deleteM2MClient,
  requireM2MClient,
  searchM2MClients,
  updateM2MClient,
  type M2MClientRow,
  type M2MFilter,
  type M2MQuery,
  type M2MSettings,
} from './store.ts';

/** The subject of a client's tokens, so it must not look like a user's id. */
const NEW_ID = textThat('1 to 128 letters, digits and . _ ~ -, and must not look like the id of a user', (id) =>
  /^(?!user-)(?!\.{1,2}$)[\w.~-]{1,128}$/iu.test(id),
);
const SECRET = textThat('8 to 128 visible ASCII characters', (secret) => /^[!-~]{8,128}$/u.test(secret));
const BEST_SCORE = 4;
const MAX_OPERANDS = 100;

const scopes: Readers<M2MSettings>['scopes'] = (value, path) => [...new Set(texts(SCOPE)(value, path))];
const name = textThat('at most 120 visible characters', (value) => /^[^\p{C}]{0,120}$/u.test(value));

const SETTINGS: Readers<M2MSettings> = {
  client_name: name,
  client_description: CLIENT_DESCRIPTION,
  status: oneOf('active', 'inactive'),
  scopes,
};
const settings = object<M2MSettings>(SETTINGS, { client_name: '', client_description: '', status: 'active' });
const changes = partial<M2MSettings>(SETTINGS);

const searched = object<M2MQuery>(
  {
    operator: oneOf('AND', 'OR'),
    operands: listOf(
      object<M2MFilter>({ filter_name: oneOf('client_id', 'client_name', 'scopes'), filter_value: texts() }),
    ),
  },
  { operands: [] },
);

function clientFrom(row: M2MClientRow): M2MClient {
  const { client_id, client_name, client_description, status, trusted_metadata, next_secret_last_four: next } = row;
  return {
    client_id,
    client_name,
    client_description,
    status,
    scopes: row.scopes,
    trusted_metadata,
    client_secret_last_four: row.secret_last_four ?? '',
    ...(next === null ? {} : { next_client_secret_last_four: next }),
  };
}

/** A secret chosen by the caller is judged like a password, but must have the highest strength, because nobody has to type it. */
async function checkSecret(services: Pick<Services, 'project' | 'breaches' | 'judge'>, secret: string): Promise<void> {
  readBy(object({ client_secret: SECRET }), { client_secret: secret });
  const project = { ...services.project, password_strength_policy: 'zxcvbn', breach_detection: true } as const;
  const { valid_password, score } = await strengthOf({ ...services, project }, secret, undefined);
  if (!valid_password || score < BEST_SCORE) throw new Refusal('weak_client_secret');
}

export const m2m: BackendRoutes['m2m'] = {
  async create(services, { body }) {
    const { client_id: customId, client_secret, trusted_metadata = {}, ...fields } = body;
    const { client_id } = readBy(object({ client_id: NEW_ID }), {
      client_id: customId ?? newId(services.random, 'm2m-client'),
    });
    const read = readBy(settings, fields);
    if (client_secret !== undefined) await checkSecret(services, client_secret);
    // The same APIs read a token's subject and an app's id, so both must differ.
    const isTaken = client_id === services.project.project_id || (await findApp(services, client_id)) !== undefined;
    if (isTaken) throw new Refusal('duplicate_client_id');
    const secret = client_secret ?? newClientSecret(services);
    const row = await createM2MClient(services, { client_id, secret, settings: read, trusted_metadata });
    return { m2m_client: { ...clientFrom(row), client_secret: secret } };
  },

  async search(services, { body }) {
    const page = pageFrom(body);
    const query: M2MQuery =
      body.query === undefined
        ? { operator: 'AND', operands: [] }
        : readBy(object({ query: searched }), { query: body.query }).query;
    if (query.operands.length > MAX_OPERANDS) throw wrongField('query.operands', `of at most ${MAX_OPERANDS} filters`);
    const { found, total } = await searchM2MClients(services, page, query);
    const { rows, results_metadata } = pageOf(page, found, total);
    return { m2m_clients: rows.map(clientFrom), results_metadata };
  },

  async get({ db }, { params }) {
    return { m2m_client: clientFrom(await requireM2MClient(db, params.client_id)) };
  },

  /** Tokens issued before stay valid for their hour, because APIs check them without this server. */
  async update(services, { params, body }) {
    const { trusted_metadata, ...fields } = body;
    return {
      m2m_client: clientFrom(
        await updateM2MClient(services, params.client_id, readBy(changes, fields), trusted_metadata),
      ),
    };
  },

  async delete(services, { params: { client_id } }) {
    await deleteM2MClient(services, client_id);
    return { client_id };
  },

  async rotateStart(services, { params: { client_id } }) {
    const next_client_secret = await startRotation(services, 'm2m_clients', client_id);
    return { m2m_client: { ...clientFrom(await requireM2MClient(services.db, client_id)), next_client_secret } };
  },

  async rotateCancel(services, { params: { client_id } }) {
    await cancelRotation(services, 'm2m_clients', client_id);
    return { m2m_client: clientFrom(await requireM2MClient(services.db, client_id)) };
  },

  async rotate(services, { params: { client_id } }) {
    await endRotation(services, 'm2m_clients', client_id);
    return { m2m_client: clientFrom(await requireM2MClient(services.db, client_id)) };
  },
};
