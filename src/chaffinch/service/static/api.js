// Requests to the service: JSON there and back, problems (RFC 9457) as errors.

const KEPT_AS = "chaffinch.token";

/** What went wrong with a request. */
export class Problem extends Error {
  /**
   * @param {string} kind the last part of the problem's type, such as `fetch`; `network` for none.
   * @param {number} status of the response; 0 for none.
   * @param {string} detail for people.
   */
  constructor(kind, status, detail) {
    super(detail);
    this.kind = kind;
    this.status = status;
  }
}

/** Use a token with each request from now on, until the browser's tab is closed. */
export function setToken(token) {
  sessionStorage.setItem(KEPT_AS, token);
}

/**
 * Return what the service answers.
 * @param {string} path such as `/v1/inspect`.
 * @param {Object} [body] sent as JSON; without one it is a GET.
 * @param {AbortSignal} [signal]
 * @throws {Problem} also where the service can't be reached.
 */
export async function ask(path, body, { signal, method, headers: more } = {}) {
  const headers = { ...more };
  const token = sessionStorage.getItem(KEPT_AS);
  if (token) headers.Authorization = `Bearer ${token}`;
  const options = { method: method ?? (body === undefined ? "GET" : "POST"), headers, signal };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("network", 0, error.message);
  }
  const values = await response.json();
  if (response.ok) return values;
  const kind = String(values.type ?? "").split(":").pop();
  throw new Problem(kind, response.status, values.detail || values.title);
}
