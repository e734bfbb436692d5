import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router';
import { visitor } from '../auth';

export const Route = createRootRoute({
  head: () => ({ meta: [{ charSet: 'utf-8' }, { title: 'TanStack Start' }], links: [{ rel: 'icon', href: 'data:,' }] }),
  loader: () => visitor(),
  component: Page,
});

function Page() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
