import { endpoint } from './endpoint.ts';

export const projects = {
  /** The project's settings. Read the reply with `bootstrapFrom`, which fills in the defaults of missing fields. */
  bootstrap: endpoint<Readonly<Record<string, unknown>>>()({
    name: 'projects.bootstrap',
    method: 'GET',
    path: '/projects/bootstrap/:publicToken',
  }),
};
