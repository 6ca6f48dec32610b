/** Opens the admin API of a service under test. */
export const adminToken = "tw_admin_for_tests_only";

export function admin(url: string, method: string, path: string, body: unknown): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}
