/** Guards a page, on the server and when the page changes in the browser. */
export default defineNuxtRouteMiddleware(async () => {
  // It passes on the cookies of the request for the page.
  const visitor = await useRequestFetch()('/api/visitor');
  // Nitro answers null as 204, which arrives as undefined.
  if (!visitor) return navigateTo('/login');
});
