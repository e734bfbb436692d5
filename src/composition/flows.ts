/** `portico/testing/flows`: complete logins as test suites, for implementers of a server or a transport of this wire. */
export {
  allFlows,
  DASHBOARD,
  PLANNER,
  POLICY,
  PROFILE,
  type CodeExchange,
  type DeviceBegin,
  type FlowBrowser,
  type FlowProject,
  type FlowTab,
  type FlowWorld,
  type LinkType,
  type MakeFlowWorld,
  type WalletSigner,
} from '#tests/contract/flows/flows.contract.ts';
