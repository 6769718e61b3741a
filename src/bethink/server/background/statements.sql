-- name: put_task -> TaskRow
-- Keep a task, in place of the one of its name.
insert into tasks (tenant_id, task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at,
                   updated_at)
values (:tenant, :task, :owner, :agent, :name, :principal, :groups, :spec, 1, :now, :now)
on conflict (tenant_id, agent_owner, agent, name)
do update set principal = excluded.principal, principal_groups = excluded.principal_groups, spec = excluded.spec,
              revision = tasks.revision + 1, updated_at = excluded.updated_at
returning task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at, updated_at;

-- name: find_task -> TaskRow
-- Find a task by its number.
select task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at, updated_at from tasks
where tenant_id = :tenant and task_id = :task;

-- name: find_task_by_name -> TaskRow
-- Find a task of an agent by its name.
select task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at, updated_at from tasks
where tenant_id = :tenant and agent_owner = :owner and agent = :agent and name = :name;

-- name: tasks_of -> TaskRow
-- List the tasks of an agent.
select task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at, updated_at from tasks
where tenant_id = :tenant and agent_owner = :owner and agent = :agent
order by name;

-- name: all_tasks -> TaskRow
-- List the tasks of a tenant.
select task_id, agent_owner, agent, name, principal, principal_groups, spec, revision, created_at, updated_at from tasks
where tenant_id = :tenant order by task_id;

-- name: remove_task
-- Forget a task.
delete from tasks where tenant_id = :tenant and task_id = :task;

-- name: put_result
-- Keep how the newest run of a task ended.
insert into task_results (tenant_id, scope_id, task_id, status, started_at, ended_at, outcome, text)
values (:tenant, :scope, :task, :status, :started, :ended, :outcome, :text)
on conflict (tenant_id, scope_id, task_id)
do update set status = excluded.status, started_at = excluded.started_at, ended_at = excluded.ended_at,
              outcome = excluded.outcome, text = excluded.text;

-- name: find_result -> ResultRow
-- Find how the newest run of a task ended.
select status, started_at, ended_at, outcome, text from task_results
where tenant_id = :tenant and scope_id = :scope and task_id = :task;

-- name: remove_result
-- Forget how a task ended.
delete from task_results where tenant_id = :tenant and scope_id = :scope and task_id = :task;

-- name: add_job
-- Plan a job that is not planned yet.
insert into jobs (tenant_id, name, due_at, holder, until, attempts, runs, started_at, ended_at, status, outcome)
values (:tenant, :name, :due, null, 0, 0, 0, null, null, null, '{}')
on conflict (tenant_id, name) do nothing
returning name;

-- name: plan_job
-- Say when a job is due next, whatever was planned.
insert into jobs (tenant_id, name, due_at, holder, until, attempts, runs, started_at, ended_at, status, outcome)
values (:tenant, :name, :due, null, 0, 0, 0, null, null, null, '{}')
on conflict (tenant_id, name) do update set due_at = excluded.due_at;

-- name: hasten_job
-- Let a job be due earlier than was planned.
update jobs set due_at = :due where tenant_id = :tenant and name = :name and due_at > :due;

-- name: remove_job
-- Give a job up.
delete from jobs where tenant_id = :tenant and name = :name;

-- name: due_jobs -> DueJobRow
-- List the jobs that are due and that nobody is at, those first that wait longest.
select name, due_at from jobs
where tenant_id = :tenant and due_at <= :now and (holder is null or until <= :now)
order by due_at, name limit :limit;

-- name: take_job -> TakenJobRow
-- Take a job that is due; one that somebody holds answers no row.
update jobs set holder = :holder, until = :until, attempts = attempts + 1, started_at = :now
where tenant_id = :tenant and name = :name and due_at <= :now and (holder is null or until <= :now)
returning due_at, attempts, runs, outcome;

-- name: renew_job
-- Hold a job for longer; one that was taken over answers no row.
update jobs set until = :until where tenant_id = :tenant and name = :name and holder = :holder returning name;

-- name: finish_job
-- Let go of a job, with how it went and when it is due next; one that was taken over answers no row.
update jobs set holder = null, until = 0, attempts = 0, runs = runs + 1, ended_at = :now, status = :status,
  outcome = :outcome, due_at = :due
where tenant_id = :tenant and name = :name and holder = :holder
returning name;

-- name: find_job -> JobRow
-- Find a job by its name.
select name, due_at, holder, until, attempts, runs, started_at, ended_at, status, outcome from jobs
where tenant_id = :tenant and name = :name /* for update */;

-- name: all_jobs -> JobRow
-- List the jobs of a tenant, those that are due next first.
select name, due_at, holder, until, attempts, runs, started_at, ended_at, status, outcome from jobs
where tenant_id = :tenant order by due_at, name;
