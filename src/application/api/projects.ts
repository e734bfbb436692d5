import { endpoint } from './endpoint.ts';

export const projects = {
  /** What the client must know before anyone signs in; read with `bootstrapFrom`, which forgives missing fields. */
  bootstrap: endpoint<Readonly<Record<string, unknown>>>()({
    name: 'projects.bootstrap',
    method: 'GET',
    path: '/projects/bootstrap/:publicToken',
  }),
};
