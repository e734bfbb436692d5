import { createFileRoute, Link } from '@tanstack/react-router';
import { requireUser } from '../auth';

export const Route = createFileRoute('/account')({ loader: () => requireUser(), component: Account });

function Account() {
  const { id } = Route.useLoaderData();
  return (
    <>
      <h1>Your account</h1>
      <p>{id}</p>
      <Link to="/">Home</Link>
    </>
  );
}
