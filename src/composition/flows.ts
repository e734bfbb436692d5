/** `portico/testing/flows`: whole logins as suites, for who writes a server of this wire or a transport to one. */
export {
  allFlows,
  DASHBOARD,
  PLANNER,
  POLICY,
  PROFILE,
  type CodeExchange,
  type FlowBrowser,
  type FlowProject,
  type FlowTab,
  type FlowWorld,
  type LinkType,
  type MakeFlowWorld,
  type WalletSigner,
} from '../../tests/contract/flows/flows.contract.ts';
