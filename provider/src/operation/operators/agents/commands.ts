import { decideOnAgent, listAgents, type AgentDecision } from './store.ts';
import { command, PAGE, type OperatorCommand } from '../desk/command.ts';
import { limitFrom, saying } from '../desk/listing.ts';

const AGENT = { type: 'string', help: 'the client id of an agent' } as const;

function decision(agentDecision: AgentDecision, help: string, outcome: string, question?: string): OperatorCommand {
  const page = `POST /operators/agents/:agent/${agentDecision === 'approved' ? 'approve' : 'refuse'}`;
  return command(
    { argument: 'agent', fields: { agent: AGENT }, help, page, ...(question === undefined ? {} : { question }) },
    async (services, { agent }, by) => {
      await decideOnAgent(services, { client_id: agent, decision: agentDecision }, by);
      return saying(`${agent} ${outcome}`, { client_id: agent, decision: agentDecision });
    },
  );
}

/** Agents: apps that no operator registered. */
export const AGENT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'agents list': command(
    {
      fields: { ...PAGE, waiting: { type: 'boolean?', help: 'only agents without a decision' } },
      help: 'lists agents, which no operator registered, the newest first',
      columns: ['client_id', 'name', 'origin', 'decision', 'users', 'created_at'],
      page: 'GET /operators/agents',
    },
    async (services, { limit, after, waiting = false }) =>
      listAgents(services.db, { limit: limitFrom(limit), after, waiting }),
  ),
  'agents approve': decision('approved', 'lets an agent ask users for access', 'can ask users for access.'),
  'agents refuse': decision(
    'refused',
    'refuses an agent, and ends the access that users gave it',
    'is refused.',
    'Refuse this agent, and end the access that users gave it?',
  ),
};
