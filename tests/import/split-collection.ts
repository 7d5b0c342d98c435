// A Postman collection that an import splits into a suite, because it has more requests than a workflow may have.

interface Split {
  readonly url: string
  /** The requests per folder. The first folder has a login more, whose token all others send. */
  readonly perFolder: number
}

export const splitCollection = ({ url, perFolder }: Split) => ({
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [
    { name: "First", item: [login(url), ...gets(url, "first", perFolder)] },
    { name: "Second", item: gets(url, "second", perFolder) },
  ],
})

const login = (url: string) => ({
  name: "login",
  request: { method: "GET", url: `${url}/login` },
  event: [
    {
      listen: "test",
      script: { exec: ['pm.environment.set("token", pm.response.json().token)'] },
    },
  ],
})

const gets = (url: string, name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `${name} ${at}`,
    request: {
      method: "GET",
      url: `${url}/${name}/${at}`,
      header: [{ key: "X-Token", value: "{{token}}" }],
    },
  }))
