/**
 * An agent's to-do list, updated change by change.
 *
 * Some tools replace the whole list, others add or change single tasks. Changes are idempotent, so it does no harm if
 * hooks and the transcript report the same one.
 */

export type TodoStatus = 'pending' | 'in_progress' | 'completed'

export interface Todo {
  /** The agent's number for the task; absent in lists that are replaced as a whole. */
  readonly id?: string | undefined
  readonly text: string
  readonly status: TodoStatus
}

export type TodoChange =
  | { readonly kind: 'list'; readonly todos: readonly Todo[] }
  | { readonly kind: 'add'; readonly todo: Todo }
  | {
      readonly kind: 'set'
      readonly id: string
      readonly text: string | undefined
      readonly status: TodoStatus | 'dropped' | undefined
    }

/** More than anybody plans; longer lists are cut. */
const MAX_TODOS = 200

export function applyTodos(todos: readonly Todo[], change: TodoChange): readonly Todo[] {
  switch (change.kind) {
    case 'list':
      return change.todos.slice(0, MAX_TODOS)
    case 'add':
      return addTodo(todos, change.todo)
    case 'set':
      return setTodo(todos, change)
    default:
      change satisfies never
      return todos
  }
}

function addTodo(todos: readonly Todo[], todo: Todo): readonly Todo[] {
  const isKnown = (known: Todo) =>
    todo.id === undefined ? known.text === todo.text : known.id === todo.id
  if (todos.some(isKnown)) {
    // Added twice: the later status is kept, unless the number now belongs to another task.
    return todos.map((known) => (isKnown(known) && known.text !== todo.text ? todo : known))
  }
  return [...todos, todo].slice(-MAX_TODOS)
}

/** A task that was added before anybody listened is known only by its number. */
function setTodo(
  todos: readonly Todo[],
  { id, text, status }: TodoChange & { kind: 'set' },
): readonly Todo[] {
  if (status === 'dropped') return todos.filter((todo) => todo.id !== id)
  if (text !== undefined && !todos.some((todo) => todo.id === id)) {
    return [...todos, { id, text, status: status ?? 'pending' }].slice(-MAX_TODOS)
  }
  return todos.map((todo) =>
    todo.id === id ? { id, text: text ?? todo.text, status: status ?? todo.status } : todo,
  )
}
