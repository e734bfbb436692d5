import type { BackendRoutes, RequestCaller } from '#provider/base/contract.ts';
import type { Services } from './services.ts';

export const rbac: BackendRoutes<Services, RequestCaller>['rbac'] = {
  policy: ({ project }) => Promise.resolve({ policy: project.rbac_policy }),
};
