/** The flow suites as they are published. */
export { allFlows } from './all.ts';
export { DASHBOARD, PLANNER, POLICY, PROFILE } from './project.ts';
export type {
  CodeExchange,
  DeviceBegin,
  FlowBrowser,
  FlowProject,
  FlowTab,
  FlowWorld,
  LinkType,
  MakeFlowWorld,
  WalletSigner,
} from './world.ts';
