import { decideOnAgent, listAgents, type AgentDecision } from './store.ts';
import type { Services } from '#provider/api/services.ts';
import type { AuditActor } from '../desk/audit-actor.ts';
import { PAGE, readCommand, refusalAt, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { limitFrom, saying } from '../desk/listing.ts';

const AGENT = { type: 'string', help: 'the client id of an agent' } as const;

/** The version is that of the description that the operator saw on the page. */
const decide =
  (decision: AgentDecision, outcome: string) =>
  async (
    services: Pick<Services, 'db' | 'clock' | 'keys'>,
    { agent, version }: { readonly agent: string; readonly version?: string | undefined },
    by: AuditActor,
  ) => {
    await decideOnAgent(services, { client_id: agent, decision, version }, by);
    return saying(`${agent} ${outcome}`, { client_id: agent, decision });
  };

/** Agents: apps that no operator registered. */
export const AGENT_COMMANDS = {
  'agents list': readCommand(
    {
      fields: { ...PAGE, waiting: { type: 'boolean?', help: 'only agents without a decision' } },
      help: 'lists agents, which no operator registered, the newest first',
      columns: ['client_id', 'name', 'origin', 'decision', 'users', 'created_at'],
      page: 'agents',
    },
    async (services, { limit, after, waiting = false }) =>
      listAgents(services.db, { limit: limitFrom(limit), after, waiting }),
  ),
  'agents approve': writeCommand(
    {
      argument: 'agent',
      fields: { agent: AGENT },
      help: 'lets an agent ask users for access',
      roles: ['admin'],
      forms: [
        {
          page: 'agents/:agent',
          act: 'approve',
          fields: (form) => ({ version: form.get('version') ?? '' }),
          faultOf: refusalAt('version'),
          done: 'approved',
        },
      ],
    },
    decide('approved', 'can ask users for access.'),
  ),
  'agents refuse': writeCommand(
    {
      argument: 'agent',
      fields: { agent: AGENT },
      help: 'refuses an agent, and ends the access that users gave it',
      question: 'Refuse this agent, and end the access that users gave it?',
      roles: ['admin'],
      forms: [
        {
          page: 'agents/:agent',
          act: 'refuse',
          confirm: ({ agent }) => ({ field: 'confirm', text: agent, message: `Type ${agent} to refuse the agent.` }),
          done: 'refused',
        },
      ],
    },
    decide('refused', 'is refused.'),
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
